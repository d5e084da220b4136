import LMDB

extension StoreOpening {
  /// Completes or drops the unfinished parts of writes to several stores in a store that is being opened. In
  /// other stores, completes the parts that this store has decided. A failure is reported, and the parts are
  /// retried later.
  static func settle(
    _ environment: LMDB.Environment,
    _ configuration: StoreConfiguration,
    isInMemory: Bool
  ) throws {
    guard let tree = try environment.openDatabase(named: Catalogue.treeName),
      try environment.read({ try JointRows.hasRows(JointRows.prefix, tree, in: $0) }),
      let side = try jointSide(environment, configuration.name, isInMemory: isInMemory)
    else { return }
    var failures: [FiefError] = []
    do { try JointRecovery.settleMarkers(of: side) } catch {
      guard let error = error as? FiefError, error.code == .unfinishedWrite else { throw error }
      failures.append(error)
    }
    failures += try JointRecovery.settleDecisions(of: side)
    for failure in failures { configuration.reporter.send(.unfinishedWrite(failure)) }
  }
}
