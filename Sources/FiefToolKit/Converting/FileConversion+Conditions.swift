extension FileConversion {
  /// Replaces the module with `FiefRealm` in the condition of `#if` or `#elseif`; otherwise the code below it
  /// would not be compiled without Realm.
  mutating func convert(condition directive: SwiftToken) {
    let start = directive.range.lowerBound + 1
    // After the number sign a directive consists of ordinary tokens.
    let tokens = (try? SwiftLexer(Array(source.bytes[start..<directive.range.upperBound])).tokens) ?? []
    var isLeft = tokens.isEmpty
    for index in tokens.indices where ["Realm", "RealmSwift"].contains(tokens[index].name) {
      let isImported =
        index > 1 && tokens[index - 2].text == "canImport" && tokens.indices.contains(index + 1)
        && tokens[index + 1].text == ")"
      if isImported, tokens[index].name == "RealmSwift" {
        let range = tokens[index].range
        replace(start + range.lowerBound..<start + range.upperBound, with: "FiefRealm")
      } else {
        isLeft = true
      }
    }
    guard isLeft else { return }
    let end = tokens.last.map { start + $0.range.upperBound } ?? directive.range.upperBound
    let text = String(decoding: source.bytes[directive.range.lowerBound..<end], as: UTF8.self)
    note(
      source.line(at: start),
      "'\(text)' was not converted: without Realm the compiler may leave out the code below"
    )
  }
}
