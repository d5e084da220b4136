import Fief
import Foundation

/// The store's side of a token: what it allows and until when.
///
/// The secret stays with the client. The data kept here identifies the token, and is of no use to a person
/// who reads the file.
final class Token: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var expiresAt: Date
  @Persisted var scopes: MutableSet<String>
}
