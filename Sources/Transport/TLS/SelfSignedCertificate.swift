import COpenSSL
import Glibc

/// A self-signed P-256 certificate, for servers that only this machine talks to: the sink, and tests.
///
/// The certificate file is also the CA file with which clients trust it.
package enum SelfSignedCertificate {
    /// Begins an hour ago, so that a slow clock accepts it.
    package static let defaultValidity = -3_600..<(3_650 * 86_400)
    /// `subjectAltName` in the library's own notation.
    private static let names = "DNS:localhost,IP:127.0.0.1,IP:::1"

    /// Makes key and certificate for `localhost`, 127.0.0.1 and ::1 and writes both as PEM.
    ///
    /// The key is written first, and each file appears whole or not at all: a certificate file shows that both exist.
    /// - Parameter validity: in seconds from now.
    /// - Throws: ``TLSFailure`` from the library, ``SystemCallError`` if a file cannot be written.
    package static func write(
        certificateFile: String, keyFile: String, validity: Range<Int> = defaultValidity
    ) throws {
        guard let key = belfry_new_p256_key() else { throw TLSFailure("EVP_EC_gen") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw TLSFailure("X509_new") }
        defer { X509_free(certificate) }
        try fill(certificate, key: key, validity: validity)
        let keyText = try pem { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
        let certificateText = try pem { PEM_write_bio_X509($0, certificate) }
        try write(keyText, to: keyFile, mode: 0o600)
        try write(certificateText, to: certificateFile, mode: 0o644)
    }

    private static func fill(
        _ certificate: OpaquePointer, key: OpaquePointer, validity: Range<Int>
    ) throws(TLSFailure) {
        ERR_clear_error()
        try check(X509_set_version(certificate, 2), "X509_set_version")  // counted from 0: version 3
        // Random, so that a client that remembers an older certificate can tell them apart (RFC 5280 §4.1.2.2:
        // positive).
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        try check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial), "ASN1_INTEGER_set_uint64")
        guard X509_gmtime_adj(X509_getm_notBefore(certificate), validity.lowerBound) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validity.upperBound) != nil
        else { throw TLSFailure("X509_gmtime_adj") }
        let name = X509_get_subject_name(certificate)
        try check(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "localhost", -1, -1, 0), "X509_NAME")
        try check(X509_set_issuer_name(certificate, name), "X509_set_issuer_name")
        try check(X509_set_pubkey(certificate, key), "X509_set_pubkey")
        try add(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
        try add(NID_key_usage, "critical,digitalSignature,keyCertSign", to: certificate)
        try add(NID_ext_key_usage, "serverAuth", to: certificate)
        try add(NID_subject_key_identifier, "hash", to: certificate)
        try add(NID_subject_alt_name, names, to: certificate)
        // Returns the signature's length.
        guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw TLSFailure("X509_sign") }
    }

    private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) throws(TLSFailure) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        guard let piece = X509V3_EXT_conf_nid(nil, &context, kind, value) else { throw TLSFailure("X509V3_EXT_conf") }
        defer { X509_EXTENSION_free(piece) }
        try check(X509_add_ext(certificate, piece, -1), "X509_add_ext")
    }

    private static func check(_ code: Int32, _ call: String) throws(TLSFailure) {
        guard code == 1 else { throw TLSFailure(call) }
    }

    private static func pem(_ body: (OpaquePointer) -> Int32) throws(TLSFailure) -> [UInt8] {
        guard let bio = BIO_new(BIO_s_mem()) else { throw TLSFailure("BIO_new") }
        defer { BIO_free(bio) }
        try check(body(bio), "PEM_write_bio")
        var start: UnsafeMutablePointer<CChar>?
        let count = belfry_bio_bytes(bio, &start)
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(SystemCallError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemCallError("open", errno: errno, subject: draft) }
        // A draft of an earlier run keeps its old mode.
        var failed = fchmod(descriptor, mode) != 0 ? "fchmod" : nil
        if failed == nil, Glibc.write(descriptor, bytes, bytes.count) != bytes.count { failed = "write" }
        let code = errno
        close(descriptor)
        if let failed { throw SystemCallError(failed, errno: code, subject: draft) }
        guard rename(draft, path) == 0 else { throw SystemCallError("rename", errno: errno, subject: path) }
    }
}
