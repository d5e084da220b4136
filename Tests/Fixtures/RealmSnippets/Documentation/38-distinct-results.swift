import FiefRealm
import Foundation

class Song: Object {
  @Persisted var album = ""
  @Persisted var year = 0
}

func example(realm: Realm) {
  let songs = realm.objects(Song.self)
  let onePerAlbum = songs.distinct(by: ["album"])
  let onePerYear = songs.distinct(by: [\Song.album, \Song.year])
  print(onePerAlbum.count, onePerYear.count)
}
