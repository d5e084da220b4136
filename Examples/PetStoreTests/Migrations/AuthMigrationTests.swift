import Fief
import Foundation
import PetStoreMigrations
import Testing

@testable import PetStoreKit

@Suite("Old stores of accounts") struct AuthMigrationTests {
  private func contents(of auth: AuthRepository) throws -> [String] {
    try auth.read { snapshot in
      let users = snapshot.objects(User.self).map { user in
        "user \(Words.number(user.id)) \(Words.text(user.name)) \(Words.text(user.email)) \(user.role) "
          + "\(Words.seconds(user.registeredAt)) \(Words.seconds(user.lastSeenAt)) "
          + Words.list(user.devices.map { Words.text($0.name) }.sorted())
      }
      let devices = snapshot.objects(Device.self).map { device in
        "device \(Words.text(device.name)) of \(Words.number(device.owner?.id)): "
          + Words.list(device.sessions.map { Words.number($0.id) }.sorted())
      }
      let sessions = snapshot.objects(Session.self).map { session in
        "session \(Words.number(session.id)) \(Words.number(session.user?.id)) "
          + "\(Words.text(session.device?.name)) \(Words.seconds(session.startedAt)) "
          + Words.list(session.tokens.map { Words.number($0.id) })
      }
      let past = snapshot.objects(PastSession.self).map { session in
        "past \(Words.number(session.id)) \(Words.number(session.user?.id)) "
          + "\(Words.text(session.device?.name)) \(Words.seconds(session.startedAt)) "
          + Words.seconds(session.endedAt)
      }
      let tokens = snapshot.objects(Token.self).map { token in
        "token \(Words.number(token.id)) \(Words.seconds(token.expiresAt)) \(Words.list(token.scopes.sorted()))"
      }
      return Array(users) + devices.sorted() + Array(sessions) + Array(past) + Array(tokens)
    }
  }

  @Test("Version 1 to 4", arguments: FixtureStores.Way.allCases)
  func first(way: FixtureStores.Way) throws {
    try FixtureStores.with("auth", version: 1) { directory in
      try FixtureStores.prepare(way, "auth", AuthVersion2.self, in: directory)
      let auth = AuthRepository(directory: directory)
      defer { auth.close() }
      try FixtureStores.check(auth, version: 4)
      let expected = [
        "user 1 'Ada Ångström' 'ada.1@example.org' administrator 0.0 60.0 ['laptop' 'phone']",
        "user 2 'Björn 🐕 Baker' 'bjorn.baker@example.org' customer 86400.0 50.0 ['Küche „kiosk“' 'phone']",
        "user 3 '' '' staff -1704067200.0 - []",
        "user 4 'Wuff! 犬は'…7800 'long.lon'…316 staff 0.25 - []",
        "device 'Küche „kiosk“' of 2: [15]",
        "device 'laptop' of 1: []",
        "device 'phone' of 1: [11]",
        "device 'phone' of 2: [13]",
        "session 11 1 'phone' 10.0 [21]",
        "session 13 2 'phone' 30.5 [23]",
        "session 15 2 'Küche „kiosk“' 50.0 [23 23]",
        "past 12 1 'laptop' 20.0 -",
        "past 14 - - 40.0 -",
        "past 16 1 'phone' 60.0 -",
        "token 21 3600.0 [shop]",
        "token 23 7200.0 []",
      ]
      Words.expect(try contents(of: auth), expected)
    }
  }

  @Test("Version 1 to 2: a device for each account and name")
  func second() throws {
    try FixtureStores.with("auth", version: 1) { directory in
      let plan = MigrationPlan([AuthVersion2.self])
      let old = VersionRepository("auth", at: AuthVersion2.self, in: directory, plan: plan)
      defer { old.close() }
      try FixtureStores.check(old, version: 2)
      try old.read { snapshot in
        let phones = snapshot.objects(AuthVersion2.Device.self).where { $0.name == "phone" }
        #expect(phones.map { Words.number($0.owner?.id) }.sorted() == ["1", "2"])
        #expect(phones.map(\.sessions.count).sorted() == [1, 2])
        #expect(snapshot.objects(AuthVersion2.Device.self).count == 4)
        #expect(
          snapshot.objects(AuthVersion2.Token.self).map(\.kind) == [.access, .refresh, .access, .refresh]
        )
        #expect(snapshot.objects(AuthVersion2.User.self).map(\.role.rawValue).last == "keeper")
      }
    }
  }

  @Test("Version 2 to 4")
  func third() throws {
    try FixtureStores.with("auth", version: 2) { directory in
      let auth = AuthRepository(directory: directory)
      defer { auth.close() }
      try FixtureStores.check(auth, version: 4)
      let expected = [
        "user 1 'Ada Ångström' 'ada.1@example.org' administrator 0.0 99.0 ['' 'phone 📱']",
        "user 2 '' 'ø@example.org' staff 1000000000.0 - []",
        "device '' of 1: []",
        "device 'Wuff! 犬は'…7800 of -: [13]",
        "device 'phone 📱' of 1: [11]",
        "session 11 1 'phone 📱' 11.0 [21]",
        "session 13 - 'Wuff! 犬は'…7800 13.0 [21]",
        "past 12 1 'phone 📱' 12.0 -",
        "past 14 - - 14.0 -",
        "token 21 -0.5 [größe shop]",
      ]
      Words.expect(try contents(of: auth), expected)
      let kept = try auth.read { snapshot in
        try snapshot.object(ofType: PastSession.self, forPrimaryKey: Sample.uuid(12))?.device?.id
      }
      #expect(kept == Sample.uuid(31))
    }
  }

  @Test("Version 3 to 4: everything stays, and no index has the addresses")
  func fourth() throws {
    try FixtureStores.with("auth", version: 3) { directory in
      let auth = AuthRepository(directory: directory)
      defer { auth.close() }
      try FixtureStores.check(auth, version: 4)
      let expected = [
        "user 1 'Ada Ångström' 'ada.1@example.org' administrator 0.0 99.5 ['phone 📱']",
        "user 2 '' '' staff -1000000000.0 - []",
        "device 'Wuff! 犬は'…7800 of -: [12]",
        "device 'phone 📱' of 1: [11]",
        "session 11 1 'phone 📱' 1.0 [21 21]",
        "session 12 - 'Wuff! 犬は'…7800 2.0 []",
        "past 13 1 'phone 📱' 3.0 4.0",
        "past 14 - - 5.0 -",
        "token 21 3600.0 [größe shop]",
        "token 22 0.0 []",
      ]
      Words.expect(try contents(of: auth), expected)
      let store = try DynamicStore(directory: directory + "/auth")
      defer { store.close() }
      #expect(store.types.first { $0.name == "User" }?.indexes.isEmpty == true)
    }
  }
}

/// The fixed identifiers of the fixtures.
enum Sample {
  static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (0xF1, 0xEF, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
  }
}
