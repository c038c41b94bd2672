public import CurlewScreens

/// A field of a screen in a terminal: a line of text, or a choice.
public struct Field<Event: Sendable>: Sendable {
  /// Adds the field to a view.
  let add: @Sendable (inout ViewContent) -> Void

  /// Creates a field with one line of text.
  ///
  /// - Parameters:
  ///   - label: The name of the field.
  ///   - text: The text, exactly as typed.
  ///   - prompt: The text shown in the empty field.
  ///   - problem: The problem with the text, which is shown below it.
  ///   - limit: The maximum number of characters; more are neither typed nor pasted.
  ///   - left: The event sent when the field loses the focus.
  ///   - change: A closure that returns the event for a new text; `nil` to keep the text.
  public init(
    _ label: String, text: String, prompt: String = "", problem: String? = nil,
    limit: Int = 10_000, left: Event? = nil, change: @escaping @Sendable (String) -> Event?
  ) {
    let field = FieldContent(
      label: label, text: text, prompt: prompt, problem: problem, limit: limit,
      left: left.map { .send([$0]) }, change: { .send([change($0)].compactMap(\.self)) })
    add = { $0.fields.append(field) }
  }

  /// Creates a choice, which the arrow keys change.
  ///
  /// - Parameters:
  ///   - label: The name of the choice.
  ///   - options: The values with their titles.
  ///   - chosen: The chosen value.
  ///   - choose: A closure that returns the event for another value; `nil` to keep the value.
  public init<Value: Equatable & Sendable>(
    _ label: String, options: [(value: Value, title: String)], chosen: Value,
    choose: @escaping @Sendable (Value) -> Event?
  ) {
    let choice = ChoiceContent(
      label: label, titles: options.map(\.title),
      chosen: options.firstIndex { $0.value == chosen } ?? 0,
      choose: { [values = options.map(\.value)] in .send([choose(values[$0])].compactMap(\.self)) })
    add = { $0.choices.append(choice) }
  }

  /// Returns the fields of a form, with their problems.
  ///
  /// - Parameters:
  ///   - form: The form's state.
  ///   - event: A closure that returns the screen's event for an event of the form.
  ///   - label: A closure that returns the name of a field.
  public static func fields<Draft, Value>(
    of form: FormScreen<Draft, Value>.State,
    event: @escaping @Sendable (FormScreen<Draft, Value>.Event) -> Event,
    label: (Draft.Field) -> String
  ) -> [Field] {
    Draft.Field.allCases.map { field in
      Field(
        label(field), text: form.draft[field], problem: form.problem(in: field),
        left: event(.endedEditing(field))
      ) { event(.change(field, $0)) }
    }
  }
}

struct FieldContent: Sendable {
  let label: String
  let text: String
  let prompt: String
  let problem: String?
  let limit: Int
  let left: TerminalCommand?
  let change: @Sendable (String) -> TerminalCommand
}

struct ChoiceContent: Sendable {
  let label: String
  let titles: [String]
  let chosen: Int
  let choose: @Sendable (Int) -> TerminalCommand

  var title: String { titles.indices.contains(chosen) ? titles[chosen] : "" }
}
