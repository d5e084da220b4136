import FiefRealm
import Foundation

class Dog: Object {
  @Persisted var name = ""
}

protocol Table: AnyObject {
  func reloadData()
  func performBatchUpdates(_ updates: () -> Void)
  func deleteRows(at paths: [IndexPath])
}

@MainActor
final class DogsController {
  var table: (any Table)?
  var token: NotificationToken?

  func viewDidLoad() throws {
    let results = try Realm().objects(Dog.self)
    token = results.observe { [weak self] (changes: RealmCollectionChange) in
      guard let table = self?.table else { return }
      switch changes {
      case .initial: table.reloadData()
      case .update(_, let deletions, _, _):
        table.performBatchUpdates { table.deleteRows(at: deletions.map { IndexPath(indexes: [0, $0]) }) }
      case .error(let error): fatalError("\(error)")
      }
    }
  }
}
