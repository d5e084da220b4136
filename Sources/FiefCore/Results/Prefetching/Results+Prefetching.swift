extension Results {
  /// Returns results with the targets of some relationships prefetched.
  ///
  /// ```swift
  /// for chat in chats.prefetching("members", "members.owner", "lastMessage") {
  ///   print(chat.members.map(\.name))  // reads nothing more
  /// }
  /// ```
  /// The objects are created in batches. For each batch, the keys of each relationship are collected, sorted
  /// and looked up together. A hundred chats with their members cost two lookups instead of a hundred and
  /// one. When you read the property, it has the prefetched objects. A path also prefetches its prefixes. It
  /// may lead through links, lists, sets, maps, embedded objects and ``LinkingObjects``; inverses cost a
  /// second lookup, in the tree of backlinks. In a `write { }` inverses are looked up again at each use. A
  /// large collection, which the store keeps in a separate tree, is not prefetched; its objects are read in
  /// parts when you use them.
  ///
  /// - Parameter keyPaths: names of properties, separated by dots for paths. Using the results is an error of
  ///   code `unknownProperty` if a type has no such property, and of code `invalidQuery` if the property is
  ///   not a relationship; both are detected before anything is read.
  public func prefetching(_ keyPaths: String...) -> Results {
    var results = self
    results.prefetches += keyPaths.map(QueryPath.init(keyPath:))
    return results
  }

  /// Returns results with the targets of some relationships prefetched; see ``prefetching(_:)-(String...)``.
  ///
  /// ```swift
  /// let chats = store.objects(Chat.self).prefetching(\.members, \.members.owner)
  /// ```
  /// - Parameter keyPaths: paths along relationships, also through links and collections.
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
  /// Returns the query path for a key path along relationships.
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

/// A ``Query`` of any value.
private protocol TypedQueryTerm {
  var term: TypedTerm { get }
}

extension Query: TypedQueryTerm {}
