extension Results {
  /// The same results, with the targets of some relationships looked up together.
  ///
  /// ```swift
  /// for chat in chats.prefetching("members", "members.owner", "lastMessage") {
  ///   print(chat.members.map(\.name))  // reads nothing more
  /// }
  /// ```
  /// Objects are made in batches then, and for each batch the keys that a property of them leads to are
  /// gathered, sorted and looked up together: a hundred chats with their members cost two lookups instead of
  /// a hundred and one. The property has the objects that were found when it is read. A path includes the
  /// paths to its parts, through links, lists, sets, maps, embedded objects and ``LinkingObjects``; these
  /// cost a second lookup, in the tree of backlinks. In a `write { }` inverses are looked up again at each
  /// use. A large collection, which the store keeps by itself, is left to be read when it is touched, some
  /// objects at a time.
  ///
  /// - Parameter keyPaths: names of properties; names with dots between them lead on. One that a type does not have is
  ///   an error of code `unknownProperty` where the results are used, one that is no relationship of code
  ///   `invalidQuery`, both before anything is read.
  public func prefetching(_ keyPaths: String...) -> Results {
    var results = self
    results.prefetches += keyPaths.map(QueryPath.init(keyPath:))
    return results
  }

  /// The same results, with the targets of some relationships looked up together, as
  /// ``prefetching(_:)-(String...)`` does.
  ///
  /// ```swift
  /// let chats = store.objects(Chat.self).prefetching(\.members, \.members.owner)
  /// ```
  /// - Parameter keyPaths: paths, which may go on behind links and collections.
  public func prefetching(_ keyPaths: PartialKeyPath<Query<Element>>...) -> Results {
    var results = self
    for keyPath in keyPaths {
      do { results.prefetches.append(try TypedQuery.relationship(keyPath)) } catch {
        return results.failing(FiefError.ofQuery(error))
      }
    }
    return results
  }
}

extension TypedQuery {
  /// The names on a path along relationships.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for any other path.
  fileprivate static func relationship<Element: ObjectBase>(
    _ keyPath: PartialKeyPath<Query<Element>>
  ) throws -> QueryPath {
    let root = Query<Element>(TypedTerm(TypedScopes(), level: 0, .path(.element)))
    guard let term = (root[keyPath: keyPath] as? any TypedQueryTerm)?.term else {
      throw FiefError(
        .invalidQuery,
        "The key path does not lead to a persisted property.",
        type: Element.className(),
        details: ["key path: \(keyPath)"]
      )
    }
    let paths = term.collections.map(\.path) + [try term.path()]
    return QueryPath(steps: paths.flatMap(\.steps))
  }
}

/// A ``Query`` whatever it is of.
private protocol TypedQueryTerm {
  var term: TypedTerm { get }
}

extension Query: TypedQueryTerm {}
