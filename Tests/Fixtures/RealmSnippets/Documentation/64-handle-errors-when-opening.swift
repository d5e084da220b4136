import FiefRealm
import Foundation

func example() {
  do {
    let realm = try Realm()
    print(realm.isEmpty)
  } catch let error as NSError {
    print("Cannot open: \(error.localizedDescription) \(error.code)")
  }
  do {
    _ = try Realm(configuration: .init(readOnly: true))
  } catch Realm.Error.fileNotFound {
    print("no file")
  } catch let error as Realm.Error where error.code == .fileAccess {
    print("no access")
  } catch {
    print(error)
  }
}
