import FiefRealm
import Foundation

class Playlist: Object {
  @Persisted var titles: List<String>
  @Persisted var optionalTitles: List<String?>
  @Persisted var ratings: MutableSet<Int>
  @Persisted var playCounts: Map<String, Int>
  @Persisted var notes: Map<String, String?>
  @Persisted var extra: AnyRealmValue
  @Persisted var extras: List<AnyRealmValue>
}
