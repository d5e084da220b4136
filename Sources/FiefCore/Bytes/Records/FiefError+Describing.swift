import LMDB

extension FiefError {
  /// Returns the error with the store's name and any other missing fields filled in. Errors of other
  /// libraries are returned unchanged.
  package static func described(
    _ error: any Error,
    store: String,
    type: String? = nil,
    key: [UInt8]? = nil,
    path: ValuePath? = nil
  ) -> any Error {
    var result: FiefError
    switch error {
    case let error as FiefError: result = error
    case let error as LMDBError: result = FiefError(error)
    case let error as KeyError: result = FiefError(.damagedRecord, "A key is damaged.", underlying: error)
    default: return error
    }
    result.store = result.store ?? store
    result.type = result.type ?? type
    result.path = result.path ?? path?.description
    result.key = result.key ?? key.map { ObjectKey(bytes: $0).description }
    return result
  }
}
