import Fief

extension TreeReference {
  /// Ends all observations of exactly this path in this process, also observations of queries. The
  /// observations of places above and below stay. A reference of a client ends the observations of this client
  /// only.
  public func removeAllObservers() {
    if let client { return client.removeObservations(of: location) }
    // A store that is not open has no observations.
    guard StoreRegistry.shared.isOpen(tree.origin.repository), let (_, core) = try? tree.origin.store() else {
      return
    }
    core.hub.removeObservations(at: location.place)
  }
}
