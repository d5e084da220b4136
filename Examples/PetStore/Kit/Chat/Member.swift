import Fief

/// A person who takes part in the chat.
final class Member: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
  /// The number of messages that the member has written.
  @Persisted(indexed: true) var written = 0
}
