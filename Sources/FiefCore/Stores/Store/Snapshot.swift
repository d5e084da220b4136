import LMDB

/// One committed state of a store, for the duration of a `read { }`.
///
/// Every read in the scope sees the same state, whatever is committed in the meantime. While you refer to an
/// object, every other read of its key in the scope returns the same instance: by key, through a link, in a
/// collection or in results.
public final class Snapshot: AccessScope {
  // Only library code runs during an access, and it never accesses the instances again: evicted objects are
  // released afterwards. The dynamic exclusivity check would cost as much as the rest of the access.
  @exclusivity(unchecked) private var instances = ScopeInstances()
  /// The owners of parts to which the application may refer. A part refers to its owner weakly.
  @exclusivity(unchecked) private var owners: [ObjectBase] = []

  @exclusivity(unchecked) private var places: RecentPlaces?

  /// The keys that lookups by index have cached, for a scope whose state is older than the newest commit.
  var recentPlaces: RecentPlaces {
    if let places { return places }
    let places = RecentPlaces()
    self.places = places
    return places
  }

  /// Keeps an object until the scope ends.
  package func hold(_ owner: ObjectBase) { owners.append(owner) }

  package override func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
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

  /// Records an instance. The former instance is released only after the table was changed, because its
  /// `deinit` is code of the application and may read in the scope.
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
    // Cycles exist only if links were followed.
    if hasFollowedLinks { ReferenceCycles.breakUp(instances.unmanaged, holders: 1) }
    instances.noteCyclesBroken()
  }

  override func end() {
    let mayHaveCycles = hasFollowedLinks && !instances.isEmpty
    super.end()
    if places != nil { places = nil }
    // A scope that has only counted objects has no instances, and replacing the table would copy it.
    if instances.hasNone, owners.isEmpty { return }
    let held = owners
    owners = []
    let former = instances
    instances = ScopeInstances()
    if mayHaveCycles { ReferenceCycles.breakUp(former.unmanaged, holders: 1) }
    withExtendedLifetime((former, held)) {}
  }
}
