import Fief
import FiefConsole

extension Demo {
  /// Shows what the steps have read and written, by class and by step.
  func showUsage() {
    console.heading("15. What was read and written")
    console.say(
      "Stores count what is read, put and deleted, as services bill it: by class, and by the labels of tasks. A step of the "
        + "demonstration is a label here, a screen or an endpoint is one elsewhere. The stores on disk keep the counts, "
        + "those of the killed processes up to a second before their ends; `petstore stats` shows them later."
    )
    if let table = UsageTable.table(of: store.usage()) { console.table(table) }
  }
}
