import Fief
import PetStoreMigrations

/// Accounts with and without sessions, a session without an account, tokens without a session.
enum AuthSample1 {
  static func fill(_ tx: WriteTransaction) throws {
    let ada = user(1, "Ada Ångström", "ada.1@example.org", .administrator, 0)
    let bjorn = user(2, "Björn 🐕 Baker", "Bjorn.Baker@Example.ORG", .customer, 86_400)
    let nobody = user(3, "", "", .keeper, -1_704_067_200)
    let long = user(
      4,
      Sample.longText,
      "\(String(repeating: "long.", count: 60))name@example.org",
      .keeper,
      0.25
    )
    for user in [ada, bjorn, nobody, long] { try tx.add(user, update: .error) }

    let tokens = [
      token(21, .access, 3600, ["shop"]), token(22, .refresh, 90_000, ["shop", "admin", "日本"]),
      token(23, .access, 7200, []), token(24, .refresh, 0, ["lost"]),
    ]
    for token in tokens { try tx.add(token, update: .error) }

    let sessions = [
      session(11, ada, "phone", 10, Array(tokens[0...1])), session(12, ada, "laptop", 20, []),
      session(13, bjorn, "phone", 30.5, [tokens[2]]), session(14, nil, "", 40, []),
      session(15, bjorn, "Küche „kiosk“", 50, [tokens[2], tokens[2]]), session(16, ada, "phone", 60, []),
    ]
    for session in sessions { try tx.add(session, update: .error) }
  }

  private static func user(
    _ number: UInt8,
    _ name: String,
    _ email: String,
    _ role: AuthVersion1.User.Role,
    _ seconds: Double
  ) -> AuthVersion1.User {
    let user = AuthVersion1.User()
    user.id = Sample.uuid(number)
    user.name = name
    user.email = email
    user.role = role
    user.createdAt = Sample.date(seconds)
    return user
  }

  private static func token(
    _ number: UInt8,
    _ kind: AuthVersion1.Token.Kind,
    _ seconds: Double,
    _ scopes: [String]
  ) -> AuthVersion1.Token {
    let token = AuthVersion1.Token()
    token.id = Sample.uuid(number)
    token.kind = kind
    token.expiresAt = Sample.date(seconds)
    for scope in scopes { token.scopes.insert(scope) }
    return token
  }

  private static func session(
    _ number: UInt8,
    _ user: AuthVersion1.User?,
    _ device: String,
    _ seconds: Double,
    _ tokens: [AuthVersion1.Token]
  ) -> AuthVersion1.Session {
    let session = AuthVersion1.Session()
    session.id = Sample.uuid(number)
    session.user = user
    session.device = device
    session.startedAt = Sample.date(seconds)
    for token in tokens { session.tokens.append(token) }
    return session
  }
}
