#if canImport(Combine)
  public import Combine
  import Dispatch
  public import Fief

  // Publishers of Combine. They deliver on a thread of the library; use `receive(on:)` to deliver elsewhere.

  extension ObservableCollection {
    /// A publisher of the current collection, and of the collection after each commit that changes it. It
    /// fails if the collection cannot be observed.
    public var collectionPublisher: AnyPublisher<ObservedCollection, any Error> {
      collectionPublisher(keyPaths: nil)
    }

    /// Returns a publisher of the current collection, and of the collection after each commit that changes
    /// some properties of its elements.
    public func collectionPublisher(keyPaths: [String]?) -> AnyPublisher<ObservedCollection, any Error> {
      changesetPublisher(keyPaths: keyPaths)
        .tryMap { change in
          switch change {
          case .initial(let collection), .update(let collection, _, _, _): return collection
          case .error(let error): throw error
          }
        }
        .eraseToAnyPublisher()
    }

    /// A publisher of the changes of the collection. The first change is `initial`.
    public var changesetPublisher: AnyPublisher<RealmCollectionChange<ObservedCollection>, Never> {
      changesetPublisher(keyPaths: nil)
    }

    /// Returns a publisher of the changes of the collection. An element counts as modified only if the value
    /// of one of these properties changes.
    public func changesetPublisher(
      keyPaths: [String]?
    ) -> AnyPublisher<RealmCollectionChange<ObservedCollection>, Never> {
      publisher { observe(keyPaths: keyPaths, on: nil as DispatchQueue?, $0) }
    }
  }

  /// Returns the `collectionPublisher` of a collection.
  public func valuePublisher<Collection: ObservableCollection>(
    _ collection: Collection,
    keyPaths: [String]? = nil
  ) -> AnyPublisher<Collection.ObservedCollection, any Error> {
    collection.collectionPublisher(keyPaths: keyPaths)
  }

  /// Returns the `changesetPublisher` of a collection.
  public func changesetPublisher<Collection: ObservableCollection>(
    _ collection: Collection,
    keyPaths: [String]? = nil
  ) -> AnyPublisher<RealmCollectionChange<Collection.ObservedCollection>, Never> {
    collection.changesetPublisher(keyPaths: keyPaths)
  }

  /// Returns a publisher of an object after each commit that changes it. It finishes when the object is
  /// deleted.
  public func valuePublisher<Element: ObservableObjectBase>(
    _ object: Element,
    keyPaths: [String]? = nil
  ) -> AnyPublisher<Element, any Error> {
    changesetPublisher(object, keyPaths: keyPaths)
      .tryMap { change -> Element? in
        switch change {
        case .change(let object, _): return object
        case .deleted: return nil
        case .error(let error): throw error
        }
      }
      .prefix { $0 != nil }
      .compactMap { $0 }
      .eraseToAnyPublisher()
  }

  /// Returns a publisher of the changes of an object.
  public func changesetPublisher<Element: ObservableObjectBase>(
    _ object: Element,
    keyPaths: [String]? = nil
  ) -> AnyPublisher<ObjectChange<Element>, Never> {
    publisher { object.observe(keyPaths: keyPaths, on: nil as DispatchQueue?, $0) }
  }

  /// Returns a publisher of the changes that a handler receives. The observation lasts from the subscription
  /// until the subscription is cancelled.
  private func publisher<Change>(
    _ observe: @escaping (@escaping @Sendable (Change) -> Void) -> NotificationToken
  ) -> AnyPublisher<Change, Never> {
    Deferred {
      // SAFETY: Combine's subjects can be used on any thread.
      nonisolated(unsafe) let changes = PassthroughSubject<Change, Never>()
      let token = Lock<NotificationToken?>(nil)
      return
        changes
        // The buffer keeps all changes that the subscriber has not requested yet.
        .buffer(size: .max, prefetch: .keepFull, whenFull: .dropOldest)
        .handleEvents(
          receiveSubscription: { _ in
            let new = observe { changes.send($0) }
            token.withLock { $0 = new }
          },
          receiveCancel: { token.withLock { $0 }?.invalidate() }
        )
    }
    .eraseToAnyPublisher()
  }
#endif
