import FiefRealm
import Foundation

enum StorageError: Error {
  case unavailable(underlying: Error)
  case outdated
}

func openStorage() throws -> Realm {
  do {
    return try Realm()
  } catch let error as Realm.Error {
    switch error.code {
    case .fileAccess, .filePermissionDenied: throw StorageError.unavailable(underlying: error)
    case .schemaMismatch: throw StorageError.outdated
    default: throw error
    }
  } catch {
    throw StorageError.unavailable(underlying: error)
  }
}
