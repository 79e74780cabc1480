import Migration

/// Checks every invariant of a store, and mends what can be mended.
package struct Verification {
    /// All checks of one moment.
    package struct Report: Sendable, Hashable {
        package var findings: [Finding] = []
        /// How many rows were read.
        package var rows: Int64 = 0
        /// How many checks were made, without the engine's own.
        package var checks = 0

        package var isSound: Bool { findings.isEmpty }
    }

    /// A mended row may uncover another one, such as a count that no longer fits. More rounds than any such chain has.
    private static let mostRounds = 6

    private let store: any VerifiedStore
    private let rules: VerificationRules

    package init(of store: any VerifiedStore, _ rules: VerificationRules) { (self.store, self.rules) = (store, rules) }

    /// - Parameter progress: gets what is being checked.
    /// - Throws: ``VerificationProblem`` if the store cannot be checked.
    package func check(_ progress: (String) -> Void = { _ in }) throws -> Report {
        do { return try store.atOneMoment { try check($0, progress) } } catch {
            guard let damage = store.damage(in: error) else { throw error }
            var finding = Finding(check: "file", meaning: "the store cannot be read")
            finding.add(damage)
            return Report(findings: [finding])
        }
    }

    private func check(_ moment: any StoreMoment, _ progress: (String) -> Void) throws -> Report {
        var report = Report()
        report.findings = try moment.ownFindings(progress)
        for table in MigratedTable.all {
            progress("reading the rows of \(table.name)")
            try read(table, in: moment, &report)
        }
        for check in Check.all(store.dialect, rules) {
            progress("checking \(check.name)")
            var finding = Finding(check: check.name, meaning: check.meaning, mends: check.mends)
            try gather(&finding, moment, &report) { finding in
                try moment.visit(check.query, [.text]) { finding.add($0[0].text ?? "?") }
            }
        }
        for check in JudgedCheck.all {
            progress("checking \(check.name)")
            var finding = Finding(check: check.name, meaning: check.meaning)
            try gather(&finding, moment, &report) { finding in
                try moment.visit(check.query, check.kinds) { cells in
                    guard let found = check.judge(cells) else { return }
                    finding.add(found.row)
                    finding.mends += found.mends
                }
            }
        }
        return report
    }

    /// Mends until nothing is left that can be mended.
    ///
    /// - Returns: what was mended, and the report of the last check.
    package func mend(_ progress: (String) -> Void = { _ in }) throws -> (mended: [Finding], report: Report) {
        var (mended, report): ([Finding], Report) = ([], try check(progress))
        for _ in 0..<Self.mostRounds {
            let broken = report.findings.filter(\.canBeMended)
            if broken.isEmpty { break }
            progress("mending")
            try store.mend(broken.flatMap(\.mends))
            mended += broken
            report = try check(progress)
        }
        if report.isSound { try store.finishMending() }
        return (mended, report)
    }

    private func read(_ table: MigratedTable, in moment: any StoreMoment, _ report: inout Report) throws {
        let reading = RowReading(rules: rules)
        var finding = Finding(check: "rows of \(table.name)", meaning: "rows that do not hold what was written")
        var rows: Int64 = 0
        try gather(&finding, moment, &report) { finding in
            try moment.visit(table) { key, row in
                rows += 1
                let column = row.map { reading.damagedColumn(of: table, $0) } ?? "a value's type"
                if let column { finding.add("\(table.name) \(Self.name(of: key)): \(column)") }
            }
        }
        report.rows += rows
    }

    /// Adds what the check finds to the report. Damage that ends the check is a finding, too.
    private func gather(
        _ finding: inout Finding, _ moment: any StoreMoment, _ report: inout Report,
        _ check: (inout Finding) throws -> Void
    ) throws {
        report.checks += 1
        do { try check(&finding) } catch {
            guard let damage = store.damage(in: error) else { throw error }
            finding.mends = []
            finding.add("cannot be checked: \(damage)")
        }
        if finding.count > 0 { report.findings.append(finding) }
    }

    /// A row's key; a text in it may be a person's own.
    private static func name(of key: [Cell]) -> String {
        key.map { cell in
            switch cell {
            case .null: "NULL"
            case .number(let number): "\(number)"
            case .octets(let octets): "(\(octets.count) bytes)"
            }
        }.joined(separator: ", ")
    }
}
