import Fief
import FiefTree
import Foundation

/// The rules of the chat for clients: members read the rooms in which they are, and write messages of their own.
enum ChatRules {
  private static let text = """
    {
      "rules": {
        "rooms": {
          "$room": {
            ".read": "root.child('members').child($room).hasChild(auth.uid)"
          }
        },
        "messages": {
          "$room": {
            ".read": "root.child('members').child($room).hasChild(auth.uid)",
            "$message": {
              // New messages only: a stored message does not change.
              ".write": "root.child('members').child($room).hasChild(auth.uid) && !data.exists()",
              ".validate": "newData.hasChildren(['from', 'text', 'at'])",
              "from": {".validate": "newData.val() == auth.uid"},
              "text": {".validate": "newData.isString() && newData.val().length <= 1000"},
              "at": {".validate": "newData.val() == now"},
              "$other": {".validate": false}
            }
          }
        },
        "inbox": {
          "$member": {".read": "auth.uid == $member"}
        }
      }
    }
    """

  static func rules() throws -> AccessRules { try AccessRules(json: Data(text.utf8)) }
}

extension ChatRepository {
  /// Returns a member as a client, whose reads and writes the rules check.
  func client(_ member: String) throws -> TreeClient {
    JSONTree(in: self, rules: try ChatRules.rules()).client(as: RuleAuth(uid: member))
  }
}
