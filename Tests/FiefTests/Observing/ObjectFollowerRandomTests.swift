import Fief
import Foundation
import TestEffort
import Testing

/// Followers of objects and paths through random histories, compared with plain reads of what they are about.
@Suite(.timeLimit(.minutes(20))) struct ObjectFollowerRandomTests {
  /// The values that paths lead to, read in Swift.
  private static let paths: [(path: String, value: @Sendable (FollowedPerson) -> String)] = [
    ("name", { $0.name }),
    ("numbers", { "\(Array($0.numbers))" }),
    ("tags", { "\($0.tags.sorted())" }),
    ("ratings[1]", { "\($0.ratings["1"] ?? -1)" }),
    ("best", { "\($0.best?.id ?? 0)" }),
    ("best.name", { $0.best?.name ?? "-" }),
    ("best.friends", { $0.best.map { "\($0.friends.map(\.id))" } ?? "-" }),
    ("best.best.best.nick", { $0.best?.best?.best?.nick ?? "-" }),
    ("friends.age", { "\($0.friends.map(\.age))" }),
    ("friends.friends.best.name", { "\($0.friends.map { $0.friends.map { $0.best?.name ?? "-" } })" }),
    ("circle.score", { "\($0.circle.sorted { $0.id < $1.id }.map(\.score))" }),
    ("named[1].name", { ($0.named["1"] ?? nil)?.name ?? "-" }),
    ("home.city", { $0.home?.city ?? "-" }),
    ("home.numbers", { $0.home.map { "\(Array($0.numbers))" } ?? "-" }),
    ("places.city", { "\($0.places.map(\.city))" }),
    ("fans.name", { "\($0.fans.sorted { $0.id < $1.id }.map(\.name))" }),
    ("fans", { "\($0.fans.map(\.id).sorted())" }),
  ]

  private struct Watch {
    let id: Int
    let path: Int?
    let object: FollowedObject
    /// The value that was reported last; nil after the end.
    var reported: String?
  }

  @Test(arguments: 0..<TestEffort.count(1, more: 3), [true, false])
  func reportsWhatPlainReadsSay(run: Int, inMemory: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    var writes = FollowedWrites(seed: seed)
    try repository.store().write { try writes.fill($0) }
    var watches: [Watch] = []
    for id in 1...4 {
      for path in [nil] + Array(Self.paths.indices).map(Optional.some) {
        if try value(id, path, repository) == nil { continue }
        let watched = path.map { [QueryPath.watched(Self.paths[$0].path)] }
        let object = try FollowedObject(repository, id, watched)
        watches.append(Watch(id: id, path: path, object: object, reported: try value(id, path, repository)))
      }
    }
    for step in 0..<80 {
      let changes = try repository.changes { try repository.store().write { try writes.step($0) } }
      for index in watches.indices {
        watches[index].object.note(changes)
        // Some look after each commit, some seldom.
        guard writes.number(0..<index % 5 + 1) == 0 else { continue }
        try look(
          &watches[index],
          isUnknown: writes.number(0..<6) == 0,
          "seed \(seed), step \(step)",
          repository
        )
      }
    }
  }

  private func look(
    _ watch: inout Watch,
    isUnknown: Bool,
    _ place: String,
    _ repository: FollowedRepository
  ) throws {
    let path = watch.path.map { Self.paths[$0].path } ?? "all"
    let now = try value(watch.id, watch.path, repository)
    let names = try watch.object.look(isUnknown: isUnknown)
    guard let reported = watch.reported else {
      #expect(names == [], "\(place): \(path) after the end")
      return
    }
    watch.reported = now
    guard let now else {
      #expect(names == nil, "\(place): \(path) of \(watch.id) is gone")
      return
    }
    if watch.path == nil {
      #expect(names?.isEmpty == (now == reported), "\(place): \(path) of \(watch.id)")
    } else {
      let first = String(path.split { $0 == "." || $0 == "[" }[0])
      #expect(
        names == (now == reported ? [] : [first]),
        "\(place): \(path) of \(watch.id), \(reported) \(now)"
      )
    }
  }

  /// The text of what is watched; nil where there is no such object.
  private func value(_ id: Int, _ path: Int?, _ repository: FollowedRepository) throws -> String? {
    guard let path else {
      return try repository.contents().objects["FollowedPerson"]?[repository.key(id)].map { values in
        values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value ?? [])" }.joined()
      }
    }
    return try repository.read { scope in
      try scope.object(ofType: FollowedPerson.self, forPrimaryKey: id).map(Self.paths[path].value)
    }
  }
}
