import Inbox

@testable import Gateway

/// Settings from a file, from variables and from flags: what was read can be written and read again, and each mistake is
/// told in one line, with its place, and without a secret.
///
/// The first byte chooses: a file as it is, a file that the other bytes make up, or variables and flags.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzSettings(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, rest) = FuzzInput(start, count).selectorAndRest
    var reader = SettingsReader()
    switch selector % 3 {
    case 0: reader.read(yaml: String(decoding: rest, as: UTF8.self), file: "belfry.yaml")
    case 1:
        var choices = Choices(rest)
        let text = SettingsChoices.file(&choices)
        reader.read(yaml: String(decoding: choices.broken(Array(text.utf8)), as: UTF8.self), file: "belfry.yaml")
    default:
        var choices = Choices(rest)
        let variables = SettingsChoices.variables(&choices)
        reader.read(environment: variables)
        for (name, nearest) in SettingsReader.misspelt(in: variables) {
            claim(variables[name] != nil && variables[nearest] != name, "advice about a variable that nobody has set")
        }
        for flag in SettingsChoices.flags(&choices) { reader.read(flag) }
    }
    judge(&reader)
    return 0
}

private func judge(_ reader: inout SettingsReader) {
    do throws(InvalidSettings) {
        judge(try reader.finish())
    } catch {
        claim(!error.problems.isEmpty, "mistakes without a mistake")
        for problem in error.problems { claim(!problem.place.source.isEmpty && !problem.reason.isEmpty, "\(problem)") }
        let text = error.description
        claim(!text.contains(SettingsChoices.secret), "a secret among the mistakes: \(text)")
        claimEqual(text.split(separator: "\n").count, error.problems.count, "mistakes of several lines")
    }
    claim(!String(reflecting: reader.settings).contains(SettingsChoices.secret), "settings that print a secret")
}

private func judge(_ settings: Settings) {
    var again = Settings()
    (again.authByApp, again.providers) = (
        settings.authByApp.mapValues { _ in .init() }, settings.providers.mapValues { _ in .init() }
    )
    again.publishers = settings.publishers.mapValues { _ in .init() }
    again.webhooks.endpoints = settings.webhooks.endpoints.mapValues { _ in .init() }
    // A secret is told by a word in its place.
    let hidden = ["\(Secret(""))"]
    for field in settings.fields {
        let texts = field.texts(settings)
        guard !texts.isEmpty || field.isList, texts != hidden else { continue }
        claim(field.write(&again, texts), "\(field.path): \(texts) is not read again")
    }
    claimEqual(again.fields.map(\.path), settings.fields.map(\.path), "other settings")
    for (field, other) in zip(settings.fields, again.fields) where field.texts(settings) != hidden {
        claimEqual(other.texts(again), field.texts(settings), "\(field.path) changes when written")
    }
    claimEqual(Set(settings.fields.map(\.path)).count, settings.fields.count, "two settings of one path")
    claimEqual(Set(settings.fields.map(\.variable)).count, settings.fields.count, "two settings of one variable")
}
