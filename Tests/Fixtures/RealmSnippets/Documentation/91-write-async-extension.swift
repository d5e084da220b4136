import FiefRealm
import Foundation

extension Realm {
  func writeAsync<T: ThreadConfined>(
    _ passed: T, errorHandler: @escaping (_ error: Swift.Error) -> Void = { _ in },
    block: @escaping (Realm, T?) -> Void
  ) {
    let reference = ThreadSafeReference(to: passed)
    let configuration = self.configuration
    DispatchQueue(label: "background", autoreleaseFrequency: .workItem).async {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          block(realm, realm.resolve(reference))
        }
      } catch {
        errorHandler(error)
      }
    }
  }
}
