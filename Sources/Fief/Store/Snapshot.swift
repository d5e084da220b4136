import LMDB

/// One committed state of a store, for the length of a `read { }`.
///
/// Whatever others commit meanwhile, every read in the scope sees the same state. The same key is always the same
/// instance as long as somebody holds it, whichever way it was come to: by its key, along a link, in a collection, in
/// results.
public final class Snapshot: AccessScope {
  // What is called while it is accessed is the library's alone, and does not come back here: what is let go of ends
  // afterwards. The check of each access would cost as much as all else that is done with it.
  @exclusivity(unchecked) private var instances = ScopeInstances()
  /// Objects whose parts were handed out, which know them weakly.
  private var owners: [ObjectBase] = []

  /// Keeps an object until the scope ends.
  func hold(_ owner: ObjectBase) { owners.append(owner) }

  override func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    let words = KeyWords(table: binding.table.entry.id, key: key)
    if let known = instances.instance(for: words, key, of: binding) { return known }
    guard let object = try load(binding, key: key) else { return nil }
    keep(object, words, key)
    return object
  }

  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    let words = KeyWords(table: binding.table.entry.id, key: row.key)
    if let known = instances.instance(for: words, row.key, of: binding) { return known }
    let object = try decode(binding, row)
    keep(object, words, row.key)
    return object
  }

  /// What is let go of is let go of here, after the instances have changed: an object's `deinit` is the
  /// application's, and may read in the scope.
  @inline(__always)
  private func keep(_ object: ObjectBase, _ words: KeyWords, _ key: UnsafeRawBufferPointer) {
    let (isDone, former) = instances.handOut(object, words, key)
    withExtendedLifetime(former) {}
    if !isDone { keepBesideHeld(object, words, key) }
  }

  @inline(never)
  private func keepBesideHeld(_ object: ObjectBase, _ words: KeyWords, _ key: UnsafeRawBufferPointer) {
    withExtendedLifetime(instances.handOutAfterHeld(object, words, key)) {}
    if instances.isLarge { breakCycles() }
  }

  @inline(never)
  private func breakCycles() {
    // Without links that were followed there are none.
    if hasFollowedLinks { ReferenceCycles.breakUp(instances.unmanaged, holders: 1) }
    instances.noteCyclesBroken()
  }

  override func end() {
    let mayHaveCycles = hasFollowedLinks && !instances.isEmpty
    super.end()
    let held = owners
    owners = []
    let former = instances
    instances = ScopeInstances()
    if mayHaveCycles { ReferenceCycles.breakUp(former.unmanaged, holders: 1) }
    withExtendedLifetime((former, held)) {}
  }
}
