import Fief
import Foundation
import TestEffort
import Testing

/// Elements that a collection has read, or that an earlier save has stored, are left out if their objects were deleted. An element that
/// was added since then fails the save.
@Suite("Collections that are changed after objects in them were deleted")
struct StoredLinkTests {
  typealias Link = HeldDeletedLinkTests.Link

  static let links: [Link] = [.list, .set, .map, .values, .valueSet, .valueMap]

  private func filled(_ place: TypedPlace, count: Int) throws -> TypedStore {
    let store = try TypedStore(place, [LinkedPhoto.self, LinkingAlbum.self], embedded: [LinkingFrame.self])
    try store.put((1...count).map { LinkedPhoto($0) } + [LinkedPhoto(0), LinkedPhoto(5_000)])
    return store
  }

  private func fill(_ link: Link, of album: LinkingAlbum, with photos: [LinkedPhoto]) {
    for photo in photos {
      switch link {
      case .map: album.map["\(photo.id)"] = .some(photo)
      case .valueMap: album.anyMap["\(photo.id)"] = .object(photo)
      case .values: album.anyList.append(.object(photo))
      default: link.add(photo, to: album)
      }
    }
  }

  static func ids(_ link: Link, of album: LinkingAlbum) -> [Int] {
    switch link {
    case .list: album.photos.map(\.id)
    case .set: album.set.map(\.id).sorted()
    case .map: album.map.compactMap { $0.value?.id }.sorted()
    case .values:
      album.anyList.compactMap { value in
        if case .list(let values) = value { return values.first?.object(LinkedPhoto.self)?.id }
        return value.object(LinkedPhoto.self)?.id
      }
    case .valueSet: album.anySet.compactMap { $0.object(LinkedPhoto.self)?.id }.sorted()
    default: album.anyMap.compactMap { $0.value.object(LinkedPhoto.self)?.id }.sorted()
    }
  }

  private func ids(_ link: Link, of album: LinkingAlbum) -> [Int] { Self.ids(link, of: album) }

  /// Deletes photo 1 while an album holds it. Then adds an existing photo and a deleted photo to the album.
  private func change(_ link: Link, of album: LinkingAlbum, in store: TypedStore, count: Int) throws {
    let (added, gone) = (try store.get(LinkedPhoto.self, 0), try store.get(LinkedPhoto.self, 5_000))
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [1])
    link.add(added, to: album)
    try store.saveAndWait(entity: album, update: .all)
    #expect(ids(link, of: try store.get(LinkingAlbum.self, 7)).sorted() == [0] + (2...count))
    // Elements that were added by the save before count as stored, too.
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [0])
    let third = try store.get(LinkedPhoto.self, 3)
    switch link {
    case .map: album.map["y"] = .some(third)
    case .valueMap: album.anyMap["y"] = .object(third)
    default: link.add(third, to: album)
    }
    try store.saveAndWait(entity: album, update: .modified)
    let stored = ids(link, of: try store.get(LinkingAlbum.self, 7))
    #expect(!stored.contains(0) && !stored.contains(1) && stored.contains(3))
    // Adding a deleted photo fails the save, which leaves the stored photos unchanged.
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [5_000])
    switch link {
    case .map: album.map["z"] = .some(gone)
    case .valueMap: album.anyMap["z"] = .object(gone)
    default: link.add(gone, to: album)
    }
    for _ in 0..<2 {
      let error = try typedError { try store.saveAndWait(entity: album, update: .all) }
      #expect(error.code == .objectNotFound && error.property == link.place.property && error.key == "7")
      #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 5000"])
    }
    #expect(ids(link, of: try store.get(LinkingAlbum.self, 7)) == stored)
    #expect(try store.check().problems == [])
  }

  @Test("a collection that was read", arguments: TestEffort.pairs(TypedPlace.allCases, links))
  func read(place: TypedPlace, link: Link) throws {
    // The longer collection is not in its object's record, so that a copy has to read it before others change it.
    for (count, isRead) in [(4, false), (4, true), (1_200, true)] {
      let store = try filled(place, count: count)
      try store.write { transaction in
        let album = LinkingAlbum()
        album.id = 7
        try transaction.add(album)
        fill(
          link,
          of: album,
          with: transaction.objects(LinkedPhoto.self).where { $0.id.in(1...count) }.map { $0 }
        )
      }
      let album = try store.get(LinkingAlbum.self, 7)
      if isRead { #expect(ids(link, of: album).count == count) }
      try change(link, of: album, in: store, count: count)
    }
  }

  @Test("a collection that was filled and saved", arguments: TestEffort.pairs(TypedPlace.allCases, links))
  func saved(place: TypedPlace, link: Link) throws {
    for isNew in [true, false] {
      let store = try filled(place, count: 4)
      let photos =
        isNew ? (1...4).map { LinkedPhoto($0) } : try (1...4).map { try store.get(LinkedPhoto.self, $0) }
      let album = LinkingAlbum()
      album.id = 7
      fill(link, of: album, with: photos)
      try store.saveAndWait(entity: album, update: .all)
      try change(link, of: album, in: store, count: 4)
    }
  }

  @Test("a save that failed stores nothing, so its elements are still given", arguments: TypedPlace.allCases)
  func failed(place: TypedPlace) throws {
    let store = try filled(place, count: 4)
    let album = LinkingAlbum()
    album.id = 7
    let photos = try (1...3).map { try store.get(LinkedPhoto.self, $0) }
    album.photos.append(objectsIn: photos)
    try store.saveAndWait(entity: album)
    album.photos.append(try store.get(LinkedPhoto.self, 4))
    try store.deleteAndWait(ofType: LinkedPhoto.self, forPrimaryKeys: [4])
    for _ in 0..<2 {
      let error = try typedError { try store.saveAndWait(entity: album, update: .all) }
      #expect(error.showingValues().details == ["the deleted object: LinkedPhoto 4"])
      album.photos.swapAt(0, 1)
    }
  }
}
