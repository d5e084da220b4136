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

  override func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
    if let known = instances.instance(for: id, of: binding) { return known }
    guard let object = try load(binding, key: key) else { return nil }
    keep(object, id)
    return object
  }

  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: row.key)
    if let known = instances.instance(for: id, of: binding) { return known }
    let object = try binding.decode(key: row.key, view: row.view, layout: row.layout, context: context)
    tally.objects &+= 1
    keep(object, id)
    return object
  }

  /// What is let go of is let go of here, after the instances have changed: an object's `deinit` is the
  /// application's, and may read in the scope.
  @inline(__always)
  private func keep(_ object: ObjectBase, _ id: IdentityMap.Key) {
    withExtendedLifetime(instances.handOut(object, id)) {}
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
    let former = instances
    instances = ScopeInstances()
    if mayHaveCycles { ReferenceCycles.breakUp(former.unmanaged, holders: 1) }
    withExtendedLifetime(former) {}
  }
}
