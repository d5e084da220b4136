import Fief
import PetStoreMigrations

/// Devices with and without sessions and owners, an account that was never used, tokens of both kinds.
enum AuthSample2 {
  private typealias Version = AuthVersion2

  static func fill(_ tx: WriteTransaction) throws {
    let ada = try tx.create(
      Version.User.self,
      value: [
        "id": Sample.uuid(1), "name": "Ada Ångström", "email": "ADA.1@example.org", "role": "administrator",
        "createdAt": Sample.date(0), "lastSeenAt": Sample.date(99),
      ]
    )
    try tx.create(
      Version.User.self,
      value: [
        "id": Sample.uuid(2), "email": "ø@example.org", "role": "keeper", "createdAt": Sample.date(1e9),
      ]
    )
    let phone = try tx.create(
      Version.Device.self,
      value: ["id": Sample.uuid(31), "name": "phone 📱", "owner": ada]
    )
    let kiosk = try tx.create(Version.Device.self, value: ["id": Sample.uuid(32), "name": Sample.longText])
    try tx.create(Version.Device.self, value: ["id": Sample.uuid(33), "name": "", "owner": ada])

    let access = try token(tx, 21, "access", ["shop", "größe"])
    let refresh = try token(tx, 22, "refresh", [])
    try session(tx, 11, ada, phone, [access, refresh])
    try session(tx, 12, ada, phone, [refresh])
    try session(tx, 13, nil, kiosk, [access])
    try session(tx, 14, nil, nil, [])
  }

  private static func token(
    _ tx: WriteTransaction,
    _ number: UInt8,
    _ kind: String,
    _ scopes: [String]
  ) throws -> Version.Token {
    try tx.create(
      Version.Token.self,
      value: ["id": Sample.uuid(number), "kind": kind, "expiresAt": Sample.date(-0.5), "scopes": scopes]
    )
  }

  private static func session(
    _ tx: WriteTransaction,
    _ number: UInt8,
    _ user: Version.User?,
    _ device: Version.Device?,
    _ tokens: [Version.Token]
  ) throws {
    let session = Version.Session()
    session.id = Sample.uuid(number)
    session.user = user
    session.device = device
    session.startedAt = Sample.date(Double(number))
    for token in tokens { session.tokens.append(token) }
    try tx.add(session, update: .error)
  }
}
