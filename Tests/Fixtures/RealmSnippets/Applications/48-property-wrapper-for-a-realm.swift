import FiefRealm
import Foundation

@propertyWrapper
struct InjectedRealm {
  private let configuration: Realm.Configuration
  init(_ configuration: Realm.Configuration = .defaultConfiguration) { self.configuration = configuration }
  var wrappedValue: Realm { try! Realm(configuration: configuration) }
}

class Kite: Object {
  @Persisted var span = 0
}

final class KiteService {
  @InjectedRealm private var realm

  func wide() -> Results<Kite> { realm.objects(Kite.self).where { $0.span > 200 } }
  func add(_ kite: Kite) throws { try realm.write { realm.add(kite) } }
}
