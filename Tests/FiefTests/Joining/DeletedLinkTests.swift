import Fief
import Foundation
import Testing

final class LinkedPhoto: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

final class LinkingFrame: EmbeddedObject {
  @Persisted var photo: LinkedPhoto?
  @Persisted var photos: List<LinkedPhoto>
  @Persisted var set: MutableSet<LinkedPhoto>
  @Persisted var map: Map<String, LinkedPhoto?>
}

/// Links of every kind.
final class LinkingAlbum: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var photo: LinkedPhoto?
  @Persisted var photos: List<LinkedPhoto>
  @Persisted var set: MutableSet<LinkedPhoto>
  @Persisted var map: Map<String, LinkedPhoto?>
  @Persisted var any: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var anyArray: [AnyRealmValue]
  @Persisted var frame: LinkingFrame?
  @Persisted var frames: List<LinkingFrame>
  @Persisted var words: [String]

  /// The ids of the photos that its links lead to.
  var ids: [[Int]] {
    let any = [any.object(LinkedPhoto.self)?.id].compactMap(\.self)
    let anyList = anyList.compactMap { $0.object(LinkedPhoto.self)?.id }
    let anyMap = anyMap.compactMap { $0.value.object(LinkedPhoto.self)?.id }
    let frames = ([frame].compactMap(\.self) + Array(frames)).map { frame in
      [frame.photo?.id].compactMap(\.self) + frame.photos.map(\.id) + frame.set.map(\.id).sorted()
        + frame.map.compactMap { $0.value?.id }
    }
    return [
      [photo?.id].compactMap(\.self), photos.map(\.id), set.map(\.id).sorted(),
      map.compactMap { $0.value?.id }, any,
      anyList, anyMap, anySet.compactMap { $0.object(LinkedPhoto.self)?.id }.sorted(),
      anyArray.compactMap { $0.object(LinkedPhoto.self)?.id },
    ] + frames
  }
}

/// In a write nothing shows a link to an object that the write has deleted. Outside of writes a copy keeps what it has read.
@Suite("Links of held objects to deleted ones")
struct DeletedLinkTests {
  private func filled(_ place: TypedPlace) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    let photos = (0..<3).map { LinkedPhoto($0) }
    let album = LinkingAlbum()
    album.photo = photos[0]
    album.photos.append(objectsIn: photos)
    album.set.insert(objectsIn: photos)
    album.any = .object(photos[0])
    for photo in photos {
      album.map["\(photo.id)"] = .some(photo)
      album.anyList.append(.object(photo))
      album.anyMap["\(photo.id)"] = .object(photo)
      album.anySet.insert(.object(photo))
      album.anyArray.append(.object(photo))
    }
    album.frame = LinkingFrame()
    album.frames.append(LinkingFrame())
    for frame in [album.frame, album.frames.first].compactMap(\.self) {
      frame.photo = photos[0]
      frame.photos.append(objectsIn: photos)
      frame.set.insert(objectsIn: photos)
      for photo in photos { frame.map["\(photo.id)"] = .some(photo) }
    }
    try store.put(album)
    return store
  }

  private static let whole = [
    [0], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2],
    [0, 0, 1, 2, 0, 1, 2, 0, 1, 2],
    [0, 0, 1, 2, 0, 1, 2, 0, 1, 2],
  ]
  private static let rest = [
    [], [1, 2], [1, 2], [1, 2], [], [1, 2], [1, 2], [1, 2], [1, 2], [1, 2, 1, 2, 1, 2], [1, 2, 1, 2, 1, 2],
  ]

  enum Way: CaseIterable {
    case object, key, results, all
  }

  private func delete(_ way: Way, _ photo: LinkedPhoto, _ transaction: WriteTransaction) throws {
    switch way {
    case .object: try transaction.delete(photo)
    case .key: try transaction.delete(ofType: LinkedPhoto.self, forPrimaryKeys: [0])
    case .results: _ = try transaction.objects(LinkedPhoto.self).where { $0.id == 0 }.delete()
    case .all:
      try transaction.deleteAll(LinkedPhoto.self)
    }
  }

  @Test("in the write they are gone", arguments: TypedPlace.allCases, Way.allCases)
  func inTheWrite(place: TypedPlace, way: Way) throws {
    let store = try filled(place)
    let none = Self.rest.map { _ in [Int]() }
    func album() throws -> LinkingAlbum { try store.get(LinkingAlbum.self, 0) }
    let (unread, read, joined, loaded) = (try album(), try album(), try album(), try album())
    let (photo, list, frame) = (try store.get(LinkedPhoto.self, 0), try album().photos, try album())
    let (set, map, part) = (try album().set, try album().map, try #require(frame.frame))
    #expect(read.ids == Self.whole && loaded.ids == Self.whole && list.count == 3 && part.photos.count == 3)
    #expect(set.count == 3 && map.count == 3 && part.photo?.id == 0)
    let expected = way == .all ? none : Self.rest
    try store.write { transaction in
      // One has joined before the deletion, and its links were followed there.
      _ = joined.photo
      #expect(loaded.ids == Self.whole)
      try delete(way, photo, transaction)
      for (name, album) in [("unread", unread), ("read", read), ("joined", joined), ("loaded", loaded)] {
        #expect(album.ids == expected, "\(name)")
      }
      #expect(
        read.photos.count == (way == .all ? 0 : 2) && read.photo == nil
          && loaded.photos.count == read.photos.count
      )
      #expect(list.count == read.photos.count && list.map(\.id) == expected[1])
      #expect(set.map(\.id).sorted() == expected[2] && map.compactMap { $0.value?.id } == expected[3])
      #expect(part.photo == nil && part.photos.map(\.id) == expected[1])
    }
    for album in [unread, read, joined, loaded, try album()] { #expect(album.ids == expected) }
    #expect(list.map(\.id) == expected[1])
  }

  @Test("a write that fails brings them back", arguments: TypedPlace.allCases, Way.allCases)
  func rolledBack(place: TypedPlace, way: Way) throws {
    let store = try filled(place)
    let (read, joined) = (try store.get(LinkingAlbum.self, 0), try store.get(LinkingAlbum.self, 0))
    let photo = try store.get(LinkedPhoto.self, 0)
    #expect(read.ids == Self.whole)
    try? store.write { transaction in
      #expect(joined.ids == Self.whole)
      try delete(way, photo, transaction)
      _ = (read.ids, joined.ids)
      throw Joining.Refused()
    }
    #expect(read.ids == Self.whole && joined.ids == Self.whole)
  }

  @Test("a copy that no write uses keeps what it has read", arguments: TypedPlace.allCases)
  func outside(place: TypedPlace) throws {
    let store = try filled(place)
    let (read, unread) = (try store.get(LinkingAlbum.self, 0), try store.get(LinkingAlbum.self, 0))
    #expect(read.ids == Self.whole)
    try store.write { try $0.delete(ofType: LinkedPhoto.self, forPrimaryKeys: [0]) }
    #expect(read.ids == Self.whole && read.photos.count == 3)
    // A link that was not followed leads to the newest state.
    #expect(unread.photo == nil && unread.photos.map(\.id) == [1, 2])
    try store.write { _ in #expect(read.ids == Self.rest && unread.photos.count == 2) }
    #expect(read.ids == Self.rest)
  }
}
