import Fief
import FiefTree

/// A process that writes to a tree which another process observes and changes.
enum TreeChild {
  private struct Repository: DatabaseConfigurable, Sendable {
    let schemaName: String? = "shared"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = JSONTree.objectTypes
    let directory: String?
  }

  /// Sets the children of a place to their numbers, one commit after the other.
  static func write(_ directory: String, count: Int) {
    let repository = Repository(directory: directory)
    do {
      let place = try JSONTree(in: repository).reference("n")
      for number in 0..<count { try place.child(String(number)).setValueAndWait(.int(Int64(number))) }
      repository.close()
      Child.say("end 0\n")
    } catch { Child.say("error \(error)\n") }
  }

  /// Toggles stars of a post and counts them, from eight tasks, as soon as standard input has a line.
  static func toggle(_ directory: String, times: Int) async {
    let repository = Repository(directory: directory)
    do {
      let post = try JSONTree(in: repository).reference("post")
      // The store is open before the other process begins.
      _ = try post.exists()
      Child.say("ready 0\n")
      _ = readLine()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<times {
              let name = "u\((number * 7 + task * 5) % 12)"
              _ = try await post.runTransaction { post in
                let isStar = post["stars"][name] != .null
                post["stars"][name] = isStar ? .null : true
                post["starCount"] = .int((post["starCount"].int ?? 0) + (isStar ? -1 : 1))
                return .commit
              }
            }
          }
        }
        try await group.waitForAll()
      }
      repository.close()
      Child.say("end 0\n")
    } catch { Child.say("error \(error)\n") }
  }
}
