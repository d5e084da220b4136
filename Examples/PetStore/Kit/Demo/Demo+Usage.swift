import Fief
import FiefConsole

extension Demo {
  /// Shows what the steps have read and written, by class and by step.
  func showUsage() {
    console.heading("16. Reads and writes")
    console.say(
      "Stores count reads, puts and deletes, as services bill them: by class, and by the labels of tasks. A step of the "
        + "demonstration is a label here; elsewhere a screen or an endpoint can be a label. The stores on disk keep the counts, "
        + "also of the killed processes up to a second before their ends; `petstore stats` shows them later."
    )
    if let table = UsageTable.table(of: store.usage()) { console.table(table) }
  }
}
