import Deliveries
import Foundation
import Inbox
import Push
import SQLiteStore
import Store

/// A store's file with damage: the store opens or says why it does not, answers each call, tells only what can be written
/// as JSON, and never traps.
///
/// The bytes choose the damage: of the file's bytes anywhere, or of single values, which SQLite itself takes for sound.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzStoreFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(FuzzInput(start, count).bytes)
    let file = SoundStore.shared
    file.restore()
    if choices.isOne(in: 2) { file.damageBytes(&choices) } else { file.damageValues(&choices) }
    let store: SQLiteStore
    do {
        store = try SQLiteStore(folder: file.folder, options: SoundStore.options)
    } catch {
        claim(!"\(error)".isEmpty, "a store that does not say why it stays closed")
        return 0
    }
    let use = StoreUse(store)
    use.readPeople(&choices)
    use.readRest()
    use.write(&choices)
    use.readPeople(&choices)
    StoreUse.wait { done in store.close { done(()) } }
    return 0
}
