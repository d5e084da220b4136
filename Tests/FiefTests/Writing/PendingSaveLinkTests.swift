import Fief
import Foundation
import Testing

/// A collection is changed while a save of its object waits. The elements count as stored if the save
/// succeeds.
@Suite("Collections that are changed while a save waits")
struct PendingSaveLinkTests {
  typealias Link = HeldDeletedLinkTests.Link

  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put(LinkedPhoto(1), LinkedPhoto(2), LinkedPhoto(3))
    return store
  }

  private func add(_ photo: LinkedPhoto, to album: LinkingAlbum, _ link: Link) {
    switch link {
    case .map: album.map["\(photo.id)"] = .some(photo)
    case .valueMap: album.anyMap["\(photo.id)"] = .object(photo)
    default: link.add(photo, to: album)
    }
  }

  /// Saves an album and changes it before the outcome arrives. The calls and the handler are on the main
  /// actor.
  @MainActor
  private func save(_ album: LinkingAlbum, in store: TypedStore, meanwhile change: () -> Void) async
    -> FiefError?
  {
    await withCheckedContinuation { continuation in
      store.save(entity: album, update: .all) { result in
        if case .failure(let error) = result {
          continuation.resume(returning: error as? FiefError)
        } else {
          continuation.resume(returning: nil)
        }
      }
      change()
    }
  }

  @Test(
    "a save that fails stores nothing, so its elements are still given",
    arguments: TypedPlace.allCases,
    StoredLinkTests.links
  )
  @MainActor
  func failed(place: TypedPlace, link: Link) async throws {
    let store = try filled(place)
    let album = LinkingAlbum()
    album.id = 7
    try store.saveAndWait(entity: album)
    let (gone, second) = (try store.get(LinkedPhoto.self, 1), try store.get(LinkedPhoto.self, 2))
    add(gone, to: album, link)
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    let error = await save(album, in: store) { add(second, to: album, link) }
    #expect(error?.code == .objectNotFound && error?.property == link.place.property)
    // The elements that were added before and while the save waited are still given.
    for _ in 0..<2 {
      let error = try typedError { try store.saveAndWait(entity: album, update: .all) }
      #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 1"])
    }
    #expect(try store.get(LinkingAlbum.self, 7).ids.allSatisfy(\.isEmpty))
  }

  @Test(
    "a save that is encoded before an earlier one fails does not count its elements as stored",
    arguments: TypedPlace.allCases,
    StoredLinkTests.links
  )
  @MainActor
  func failedTwice(place: TypedPlace, link: Link) async throws {
    let store = try filled(place)
    let album = LinkingAlbum()
    album.id = 7
    try store.saveAndWait(entity: album)
    let (gone, second) = (try store.get(LinkedPhoto.self, 1), try store.get(LinkedPhoto.self, 2))
    add(gone, to: album, link)
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    var later: FiefError?
    let first: FiefError? = await withCheckedContinuation { continuation in
      var first: FiefError?
      store.save(entity: album, update: .all) { result in
        if case .failure(let error) = result { first = error as? FiefError }
      }
      add(second, to: album, link)
      store.save(entity: album, update: .all) { result in
        if case .failure(let error) = result { later = error as? FiefError }
        continuation.resume(returning: first)
      }
    }
    for error in [first, later] {
      #expect(error?.showingValues().details == ["the deleted object: LinkedPhoto 1"])
    }
    #expect(try store.get(LinkingAlbum.self, 7).ids.allSatisfy(\.isEmpty))
  }

  /// Saves an album where the handler is called on another thread, and waits for the handler.
  private func saveElsewhere(
    _ album: LinkingAlbum,
    in store: TypedStore,
    meanwhile change: () -> Void = {}
  ) -> FiefError? {
    let failure = Lock<FiefError?>(nil)
    let done = DispatchSemaphore(value: 0)
    store.save(entity: album, update: .all, isolation: nil) { result in
      if case .failure(let error) = result { failure.withLock { $0 = error as? FiefError } }
      done.signal()
    }
    change()
    done.wait()
    return failure.withLock { $0 }
  }

  @Test(
    "the outcome counts, wherever the handler is called",
    arguments: TypedPlace.allCases,
    StoredLinkTests.links
  )
  func elsewhere(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let photos = try (1...3).map { try store.get(LinkedPhoto.self, $0) }
    let album = LinkingAlbum()
    album.id = 7
    add(photos[0], to: album, link)
    #expect(saveElsewhere(album, in: store) { add(photos[1], to: album, link) } == nil)
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1, 2])
    // The first photo is stored, so it is left out. The second photo is given.
    let error = saveElsewhere(album, in: store)
    #expect(error?.showingValues().details == ["the deleted object: LinkedPhoto 2"])
    add(photos[2], to: album, link)
    let again = try typedError { try store.saveAndWait(entity: album, update: .all) }
    #expect(again.showingValues().details == ["the deleted object: LinkedPhoto 2"])
  }

  @Test("a save that succeeds stores its elements", arguments: TypedPlace.allCases, StoredLinkTests.links)
  @MainActor
  func saved(place: TypedPlace, link: Link) async throws {
    let store = try filled(place)
    let album = LinkingAlbum()
    album.id = 7
    let photos = try (1...3).map { try store.get(LinkedPhoto.self, $0) }
    add(photos[0], to: album, link)
    let error = await save(album, in: store) { add(photos[1], to: album, link) }
    #expect(error == nil)
    // The first photo is stored, so it is left out. The second photo is given.
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    add(photos[2], to: album, link)
    try store.saveAndWait(entity: album, update: .all)
    let stored = StoredLinkTests.ids(link, of: try store.get(LinkingAlbum.self, 7))
    #expect(stored.sorted() == [2, 3])
  }

  @Test("a link that was removed is not kept alive", arguments: TypedPlace.allCases, StoredLinkTests.links)
  func released(place: TypedPlace, link: Link) throws {
    for isSaved in [true, false] {
      let store = try filled(place)
      let album = LinkingAlbum()
      album.id = 7
      weak var first: LinkedPhoto?
      try {
        let photo = try store.get(LinkedPhoto.self, 1)
        first = photo
        add(photo, to: album, link)
        if isSaved { try store.saveAndWait(entity: album) }
        // After a save the change notes the links that the save has stored.
        add(try store.get(LinkedPhoto.self, 2), to: album, link)
      }()
      #expect(first != nil)
      switch link {
      case .list: album.photos.removeAll()
      case .set: album.set.removeAll()
      case .map: album.map.removeAll()
      case .values: album.anyList.removeAll()
      case .valueSet: album.anySet.removeAll()
      default: album.anyMap.removeAll()
      }
      #expect(first == nil)
    }
  }

  @Test(
    "a link that was stored, removed and added again is given",
    arguments: TypedPlace.allCases,
    [Link.list, .set, .map]
  )
  func addedAgain(place: TypedPlace, link: Link) throws {
    let store = try filled(place)
    let album = LinkingAlbum()
    album.id = 7
    let photo = try store.get(LinkedPhoto.self, 1)
    add(photo, to: album, link)
    try store.saveAndWait(entity: album)
    add(try store.get(LinkedPhoto.self, 2), to: album, link)
    switch link {
    case .list: album.photos.removeAll { $0.id == 1 }
    case .set: album.set.remove(photo)
    default: album.map["1"] = nil
    }
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    add(photo, to: album, link)
    let error = try typedError { try store.saveAndWait(entity: album, update: .all) }
    #expect(error.code == .objectNotFound && error.property == link.place.property)
    #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 1"])
  }
}
