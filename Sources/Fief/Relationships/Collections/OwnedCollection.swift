/// What lists, sets and maps have in common: the object and the property they belong to.
///
/// A collection that belongs to no object is a plain container. One that does tells its owner of each
/// change, so that the change is written with the owner.
public class OwnedCollection {
  // These are assigned at once, so that no access can overlap.
  @exclusivity(unchecked) private(set) final weak var owner: ObjectBase?
  @exclusivity(unchecked) private(set) final var offset = 0
  /// Where the elements are while they are not read, for a wrapper that is encoded without its object.
  @exclusivity(unchecked) final var deferredSource: _DeferredValue?

  final func attach(to owner: ObjectBase, at offset: Int) {
    self.owner = owner
    self.offset = offset
    deferredSource = nil
    owner._context?.didHandOutPart(of: owner)
  }

  final var isAttached: Bool { owner != nil }

  final func didChange() { owner?.markAssigned(at: offset) }

  final func adopt(_ element: some RealmCollectionValue) {
    if let owner { element._adopt(by: owner) }
  }

  /// Tells the store's event handler what could not be found out.
  final func report(_ error: any Error) {
    guard let owner else { return }
    owner._context?.report(
      error,
      type: Swift.type(of: owner).className(),
      property: owner.descriptor.property(at: offset)?.name
    )
  }

  /// An index that is out of bounds changes nothing and is reported to the store's event handler.
  final func reportOutOfBounds(_ index: Int, count: Int) {
    guard let owner, let store = owner._context?.store else { return }
    store.emit(
      .indexOutOfBounds(
        store: store.name,
        type: Swift.type(of: owner).className(),
        index: index,
        count: count
      )
    )
  }
}
