extension QueryParser {
  func argument(_ index: Int, at start: Int) throws -> QueryArgument {
    guard arguments.indices.contains(index) else {
      throw source.error(
        .malformedQuery,
        "The text uses an argument that was not passed.",
        at: start,
        found: "argument \(index)",
        expected:
          "\(index == 0 ? "an argument" : "\(index + 1) arguments") or more; \(arguments.count) were passed"
      )
    }
    return arguments[index]
  }

  /// Returns the argument for a placeholder such as `%d`.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the argument is of another kind.
  func argument(_ index: Int, as format: QueryFormat, at start: Int) throws -> QueryArgument {
    let argument = try argument(index, at: start)
    guard format.admits(argument) else {
      throw source.error(
        .invalidQuery,
        "The argument has the wrong kind for its placeholder.",
        at: start,
        found: "argument \(index): \(argument.kind)",
        expected: format.expected
      )
    }
    return argument
  }

  /// Rejects a combination of `%@`, which takes arguments in order, and `$0`, which takes them by number.
  func checkOneKind(isNumbered: Bool) throws {
    guard isNumbered ? usage.inTurn > 0 : !usage.numbered.isEmpty else { return }
    throw source.error(
      "Arguments are either sequential (%@, %K) or numbered ($0), not both.",
      at: token.start,
      found: token.description(in: source)
    )
  }

  /// Rejects unused arguments. An unused argument is a mistake in the text or in the call.
  func checkArguments() throws {
    let unused =
      usage.numbered.isEmpty
      ? Array(arguments.indices.dropFirst(usage.inTurn))
      : arguments.indices.filter { !usage.numbered.contains($0) }
    guard let first = unused.first else { return }
    throw source.error(
      "There are more arguments than the text uses.",
      at: source.bytes.count,
      found: "\(arguments.count) arguments",
      expected: "\(arguments.count - unused.count); argument \(first) is not used"
    )
  }

  func syntax(of argument: QueryArgument, at start: Int) throws -> QuerySyntax {
    switch argument {
    case .value(let value): .value(value)
    case .untyped(let text): .untyped(text, at: start)
    case .range(let lower, let upper): .range(lower, upper, at: start)
    case .list(let list): .list(try list.map { try syntax(of: $0, at: start) }, at: start)
    case .embedded(let object): .embedded(object, at: start)
    case .region(let region): .region(region, at: start)
    }
  }
}

extension QueryArgument {
  /// The text, if the argument is a text.
  var text: String? {
    switch self {
    case .value(let value): value.text
    case .untyped(let text): text
    case .list, .range, .embedded, .region: nil
    }
  }
}

extension QueryValue {
  /// The text, if the value is a text.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}
