import FiefRealm
import Foundation

class Country: Object {
  @Persisted(primaryKey: true) var code = ""
  @Persisted var name = ""
}

final class CountrySync {
  func replace(with remote: [String: String]) async throws {
    let realm = try await Realm()
    let stale = realm.objects(Country.self).where { !$0.code.in(Array(remote.keys)) }
    try await realm.asyncWrite {
      realm.delete(stale)
      for (code, name) in remote {
        let country = Country()
        country.code = code
        country.name = name
        realm.add(country, update: .modified)
      }
    }
  }
}
