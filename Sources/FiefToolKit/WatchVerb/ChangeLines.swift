import Fief
import FiefConsole
import Foundation

/// Formats changes as lines: for users with a mark, the key and the values, and for programs as JSON objects.
struct ChangeLines {
  let isJSON: Bool
  let console: Console
  /// The commits that made the changes.
  let commits: ClosedRange<UInt64>
  /// The time at which the changes were noticed.
  let time: String
  /// Whether the lines show the objects at the start instead of changes.
  let isStart: Bool
  private static let width = 60

  /// Returns the line above the changes of a set, or `nil` for programs, because each line contains
  /// everything.
  func heading(_ parts: [(type: DynamicType, look: WatchedType.Look)]) -> String? {
    guard !isJSON else { return nil }
    let texts = parts.compactMap { type, look -> String? in
      var counts = [0, 0, 0]
      for change in look.changes {
        switch change {
        case .inserted: counts[0] += 1
        case .modified: counts[1] += 1
        case .deleted: counts[2] += 1
        }
      }
      let words = zip(counts, [isStart ? "there" : "inserted", "modified", "deleted"])
        .filter { $0.0 > 0 }.map { "\(Format.count($0)) \($1)" }
      return words.isEmpty ? nil : "\(Format.printable(type.name)) \(words.joined(separator: ", "))"
    }
    let text = Self.heading(commits, time, isStart: isStart)
    return console.styled(text + " " + texts.joined(separator: "; "), .bold)
  }

  /// Returns the beginning of the line above a set of changes.
  static func heading(_ commits: ClosedRange<UInt64>, _ time: String, isStart: Bool) -> String {
    let numbers =
      commits.count == 1
      ? "commit \(commits.upperBound)" : "commits \(commits.lowerBound)-\(commits.upperBound)"
    return "\(isStart ? "state of commit \(commits.upperBound)" : numbers), \(time):"
  }

  /// Returns the line of an object that was inserted or existed at the start.
  func inserted(_ key: String, _ object: DynamicObject?, _ watched: WatchedType) throws -> String {
    if isJSON { return try json(key, isStart ? "present" : "inserted", object, nil, watched) }
    return try text(isStart ? "=" : "+", .green, key, object, watched) { try value($0, in: $1) }
  }

  /// Returns the line of a modified object, with its former values if they are known.
  func modified(_ key: String, _ object: DynamicObject?, old: DynamicObject?, _ watched: WatchedType) throws
    -> String
  {
    if isJSON { return try json(key, "modified", object, old, watched) }
    return try text("~", .yellow, key, object, watched) { name, object in
      guard let old else { return try value(name, in: object) }
      if try old.cell(of: name) == object.cell(of: name) { return nil }
      return "\(try value(name, in: old) ?? "") -> \(try value(name, in: object) ?? "")"
    }
  }

  /// Returns the line of a deleted object.
  func deleted(_ key: String, _ watched: WatchedType) throws -> String {
    if isJSON { return try json(key, "deleted", nil, nil, watched) }
    return try text("-", .red, key, nil, watched) { _, _ in nil }
  }

  private func value(_ name: String, in object: DynamicObject) throws -> String? {
    Format.cut(try ValueText.text(of: name, in: object), to: Self.width)
  }

  private func text(
    _ mark: String,
    _ style: Console.Style,
    _ key: String,
    _ object: DynamicObject?,
    _ watched: WatchedType,
    _ value: (String, DynamicObject) throws -> String?
  ) throws -> String {
    var line = "\(mark) \(Format.printable(watched.type.name)) \(Format.printable(key))"
    line = console.styled(line, style)
    guard let object else { return line }
    let values = try watched.columns.compactMap { name -> String? in
      // The key is already at the beginning of the line.
      if name == "$key" || watched.type.primaryKey.contains(name) { return nil }
      return try value(name, object).map { "\(Format.printable(name)): \($0)" }
    }
    return values.isEmpty ? line : line + "  " + values.joined(separator: ", ")
  }

  private func json(
    _ key: String,
    _ change: String,
    _ object: DynamicObject?,
    _ old: DynamicObject?,
    _ watched: WatchedType
  ) throws -> String {
    var json = JSONText()
    json.append(raw: "{\"firstCommit\":\(commits.lowerBound),\"commit\":\(commits.upperBound),\"time\":")
    json.append(string: time)
    json.append(raw: ",\"change\":\"\(change)\",\"type\":")
    json.append(string: watched.type.name)
    json.append(raw: ",\"key\":")
    json.append(string: key)
    if let object {
      json.append(raw: ",\"object\":")
      try json.append(object, columns: watched.columns)
      if let old {
        let changed = try watched.columns.filter {
          $0 == "$key" ? false : try old.cell(of: $0) != object.cell(of: $0)
        }
        json.append(raw: ",\"old\":")
        var values = JSONText()
        try values.append(old, columns: changed)
        json.append(raw: values.text)
      }
    }
    json.append(raw: "}")
    return json.text
  }
}
