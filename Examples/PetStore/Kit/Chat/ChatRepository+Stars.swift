import Fief
import FiefTree

extension ChatRepository {
  /// Gives a message the star of a member, or takes it back, and counts the stars in the same transaction.
  ///
  /// - Returns: whether there is such a message.
  @discardableResult func toggleStar(of message: TreeReference, by member: String) async throws -> Bool {
    try await message.runTransaction { message in
      guard case .object = message else { return .abort }
      let hasStar = message["stars"][member].bool == true
      message["stars"][member] = hasStar ? .null : true
      message["starCount"] = .int((message["starCount"].int ?? 0) + (hasStar ? -1 : 1))
      return .commit
    }
    .committed
  }

  /// Returns the number of stars of a message, and the number that the message says.
  func stars(of message: TreeReference) throws -> (stars: Int, counted: Int) {
    let json = try message.snapshot().json
    return (json["stars"].object?.count ?? 0, Int(json["starCount"].int ?? 0))
  }
}
