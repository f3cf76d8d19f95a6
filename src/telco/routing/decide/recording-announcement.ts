import type { Verb } from '../../markup/verb.ts'
import { type SpeechOptions, say } from '../../markup/voice.ts'
import { sentence } from '../../sentences/sentence.ts'
import type { RouteContext } from './context.ts'

/** What callers hear before a phone rings that records them; nothing unless the settings want it. */
export function announcement(
  { settings }: RouteContext,
  { recordsCalls, speech }: { recordsCalls: boolean; speech: SpeechOptions },
): Verb[] {
  if (!recordsCalls || !settings.announcesRecordings) return []
  return [say(sentence('callIsRecorded', speech.language), speech)]
}
