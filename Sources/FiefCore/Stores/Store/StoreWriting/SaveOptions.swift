/// The treatment of the objects of one save.
package struct SaveOptions {
  /// The treatment of an object whose key exists.
  var policy: UpdatePolicy
  /// The places of the objects in a document; nil without a document.
  var places: ObjectPlaces?
  /// The types that the repository of the save declares; nil if it declares all types of the store.
  var visible: VisibleTypes?
  /// Whether the objects are saved only if they are unchanged.
  var isConditional = false

  package init(
    _ policy: UpdatePolicy,
    places: ObjectPlaces? = nil,
    seeing visible: VisibleTypes?,
    ifUnchanged isConditional: Bool = false
  ) {
    self.policy = policy
    self.places = places
    self.visible = visible
    self.isConditional = isConditional
  }
}
