import { escapeHtml } from '../../platform/chatter.ts'

/** A player for audio at a web address or at a path of ours; null for anything else, which a page must not run. */
export function audioPlayer(source: unknown): string | null {
  if (typeof source !== 'string' || !/^(?:https?:\/\/|\/(?!\/))[^\s]+$/i.test(source)) return null
  return `<audio controls preload="none" src="${escapeHtml(source)}"></audio>`
}
