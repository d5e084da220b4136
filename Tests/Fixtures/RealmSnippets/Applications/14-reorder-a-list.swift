import FiefRealm
import Foundation

class Board: Object {
  @Persisted var columns: List<Column>
}

class Column: Object {
  @Persisted var title = ""
  @Persisted var order = 0
}

func move(in board: Board, from source: IndexSet, to destination: Int) throws {
  try board.realm?.write {
    board.columns.move(fromOffsets: source, toOffset: destination)
    for (index, column) in board.columns.enumerated() {
      column.order = index
    }
    board.columns.swapAt(0, 1)
    board.columns.remove(atOffsets: IndexSet(integer: 0))
  }
}
