import Fief
import FiefTree

/// The store of the chat: its members are objects, and everything else is a tree.
///
/// ```
/// rooms/ROOM           title, last: the last message
/// members/ROOM         MEMBER: true
/// messages/ROOM        KEY: from, text, at, starCount, stars: MEMBER: true
/// inbox/MEMBER         unread, new: KEY: ROOM
/// ```
/// A message is in its room, and in the inbox of each member of the room: what a screen shows is one place of the tree.
package final class ChatRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "chat" }
  package var schemaVersion: UInt64? { 1 }
  package var objectTypes: [Object.Type]? { JSONTree.objectTypes + [Member.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationBlock: MigrationBlock? { nil }
  package var storeOptions: StoreOptions { .keepingUsage }

  /// Describes the store under a directory.
  package init(directory: String?) {
    self.directory = directory
  }

  var tree: JSONTree { JSONTree(in: self) }
}
