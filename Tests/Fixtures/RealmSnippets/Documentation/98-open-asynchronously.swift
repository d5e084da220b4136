import FiefRealm
import Foundation

func example() {
  Realm.asyncOpen(configuration: .defaultConfiguration) { result in
    switch result {
    case .success(let realm):
      print(realm.isEmpty)
    case .failure(let error):
      print(error.localizedDescription)
    }
  }
  Realm.asyncOpen { (result: Result<Realm, Swift.Error>) in
    _ = try? result.get()
  }
}
