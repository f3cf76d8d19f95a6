import type { Conversation } from './conversation.ts'
import type { Found } from './conversation-record.ts'
import type { ToolArguments } from './tool-request.ts'

/** One thing that an agent does in a conversation. */
export type Turn = (conversation: Conversation) => Promise<void>

/** What an agent does in one conversation, in the place of a language model. */
export interface Script extends Found {
  /** For the analysis after the call. */
  readonly summary?: string
  /** False when the platform is to judge the conversation a failure. */
  readonly isSuccessful?: boolean
  readonly turns: readonly Turn[]
}

/** Waits until the caller says these words, whatever the capitals. */
export function hears(words: string): Turn {
  return (conversation) => conversation.waitFor(words)
}

/** Speaks. `{{name}}` is a variable of the call, `{{tool.path}}` a part of what a tool answered last. */
export function says(words: string): Turn {
  return (conversation) => conversation.say(words)
}

/** Answers from what it knows, by a document that has these words; without one it says that it does not know. */
export function answersAbout(words: string): Turn {
  return (conversation) => conversation.answer(words)
}

/** What the agent decides about a tool call; `heard('tool.path')` is a part of what a tool answered last. */
export type Decision = ToolArguments | ((heard: (path: string) => unknown) => ToolArguments)

/** Calls a tool of the agent with what the agent itself decides; variables and constants come by themselves. */
export function calls(tool: string, decision: Decision = {}): Turn {
  return (conversation) => conversation.call(tool, decided(conversation, decision))
}

/** The same for a call that the tool should refuse. */
export function callsInVain(tool: string, decision: Decision = {}): Turn {
  return (conversation) => conversation.call(tool, decided(conversation, decision), { expectsError: true })
}

function decided(conversation: Conversation, decision: Decision): ToolArguments {
  return typeof decision === 'function' ? decision((path) => conversation.heard(path)) : decision
}

export function pauses(seconds: number): Turn {
  return (conversation) => conversation.pause(seconds)
}

/** Says goodbye and puts the phone down, with the system tool for that. */
export function endsCall(words = 'Goodbye.'): Turn {
  return async (conversation) => {
    await conversation.say(words)
    conversation.end()
  }
}

/** Something beside the conversation, such as a look at the service while it is going on. */
export function meanwhileAgent(work: () => Promise<void>): Turn {
  return (conversation) => conversation.beside(work)
}
