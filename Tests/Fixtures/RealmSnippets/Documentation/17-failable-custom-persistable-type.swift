import FiefRealm
import Foundation

extension URL: FailableCustomPersistable {
  public typealias PersistedType = String
  public init?(persistedValue: String) {
    self.init(string: persistedValue)
  }
  public var persistableValue: String {
    absoluteString
  }
}

class Bookmark: Object {
  @Persisted var title: String
  @Persisted var url: URL?
}
