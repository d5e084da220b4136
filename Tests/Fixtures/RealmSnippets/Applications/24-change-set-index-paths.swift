import FiefRealm
import Foundation

enum RowChange {
  case reload
  case rows(delete: [IndexPath], insert: [IndexPath], modify: [IndexPath])
}

extension RealmCollectionChange {
  var rows: RowChange {
    switch self {
    case .initial, .error:
      return .reload
    case .update(_, let deletions, let insertions, let modifications):
      let path = { (row: Int) in IndexPath(indexes: [0, row]) }
      return .rows(delete: deletions.map(path), insert: insertions.map(path), modify: modifications.map(path))
    }
  }
}
