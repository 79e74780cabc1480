import Synchronization
import _FoundationICU

/// The form of printed moments: a skeleton such as `yMMMd`, arranged for the language by Unicode CLDR ("Jul 4, 2025",
/// "4. Juli 2025").
final class DatePattern: Sendable {
    /// The fields that a skeleton may ask for (UTS 35, date field symbols); `j` and `C` are the hour in the language's
    /// own form.
    private static let fields = Set("GyYuUrQqMLlwWdDFgEecabBhHKkjJCmsSAzZOvVXx")
    /// People live in few zones at a time, and a formatter holds some kilobytes.
    private static let maximumZones = 64

    /// ICU's formatters, by zone. Each belongs to one thread at a time, so the lock is held while one is used.
    private struct Formatters: ~Copyable {
        private var byZone: [String: UnsafeMutablePointer<UDateFormat?>] = [:]

        deinit { byZone.values.forEach(swift_udat_close) }

        mutating func formatter(
            for zone: String, _ open: () -> UnsafeMutablePointer<UDateFormat?>?
        ) -> UnsafeMutablePointer<UDateFormat?>? {
            if let formatter = byZone[zone] { return formatter }
            guard let formatter = open() else { return nil }
            if byZone.count >= DatePattern.maximumZones {
                byZone.values.forEach(swift_udat_close)
                byZone = [:]
            }
            byZone[zone] = formatter
            return formatter
        }
    }

    let skeleton: String
    private let locale: String
    private let pattern: String
    private let formatters = Mutex(Formatters())

    /// Nil for an invalid skeleton.
    ///
    /// - Parameter locale: a language tag that ``LocaleTag`` knows.
    init?(skeleton: String, locale: String) {
        guard !skeleton.isEmpty, skeleton.allSatisfy(Self.fields.contains),
            let pattern = Self.pattern(skeleton, locale: LocaleTag.icuName(of: locale))
        else { return nil }
        self.skeleton = skeleton
        self.locale = LocaleTag.icuName(of: locale)
        self.pattern = pattern
    }

    /// The moment as clocks in the zone show it.
    ///
    /// - Parameter zone: a name that ``ZoneNames`` knows.
    func text(_ time: Timestamp, zone: String) -> String? {
        formatters.withLock { formatters in
            guard let formatter = formatters.formatter(for: zone, { Self.open(pattern, locale: locale, zone: zone) })
            else { return nil }
            return ICUText.read { swift_udat_format(formatter, UDate(time.milliseconds), $0, $1, nil, &$2) }
        }
    }

    private static func open(
        _ pattern: String, locale: String, zone: String
    ) -> UnsafeMutablePointer<UDateFormat?>? {
        var status = U_ZERO_ERROR
        let (zone, pattern) = (Array(zone.utf16), Array(pattern.utf16))
        let formatter = swift_udat_open(
            UDAT_PATTERN, UDAT_PATTERN, locale, zone, Int32(zone.count), pattern, Int32(pattern.count), &status)
        guard let formatter, status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
        useOneCalendar(formatter)
        return formatter
    }

    /// RFC 3339 uses the Gregorian calendar for all years, but ICU uses the Julian one before 1582. A calendar that is
    /// not Gregorian stays as it is.
    private static func useOneCalendar(_ formatter: UnsafeMutablePointer<UDateFormat?>) {
        var status = U_ZERO_ERROR
        guard let calendar = swift_ucal_clone(swift_udat_getCalendar(formatter), &status) else { return }
        defer { swift_ucal_close(calendar) }
        swift_ucal_setGregorianChange(calendar, -UDate.greatestFiniteMagnitude, &status)
        // The formatter takes a copy.
        if status.rawValue <= U_ZERO_ERROR.rawValue { swift_udat_setCalendar(formatter, calendar) }
    }

    private static func pattern(_ skeleton: String, locale: String) -> String? {
        var status = U_ZERO_ERROR
        guard let generator = swift_udatpg_open(locale, &status) else { return nil }
        defer { swift_udatpg_close(generator) }
        let units = Array(skeleton.utf16)
        let pattern = ICUText.read {
            swift_udatpg_getBestPattern(generator, units, Int32(units.count), $0, $1, &$2)
        }
        return pattern.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension DatePattern: Hashable {
    static func == (one: DatePattern, other: DatePattern) -> Bool {
        (one.pattern, one.locale) == (other.pattern, other.locale)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(pattern)
        hasher.combine(locale)
    }
}
