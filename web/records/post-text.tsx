import { Fragment, type ReactNode } from 'react'
import { noteWords } from '../words/words.ts'
import { PostLink } from './post-link.tsx'

/**
 * What a note says: paragraphs, line ends and links to the web are drawn, everything else is its text. The document it is
 * read in is not shown, and runs and loads nothing.
 */
export function PostText({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <>{[...body.childNodes].map(drawn)}</>
}

function drawn(node: ChildNode, at: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return <Fragment key={at}>{noteWords(node.textContent ?? '')}</Fragment>
  if (!(node instanceof HTMLElement)) return null
  const inside = [...node.childNodes].map(drawn)
  switch (node.tagName) {
    case 'P':
      return <p key={at}>{inside}</p>
    case 'BR':
      return <br key={at} />
    case 'A':
      return <PostLink key={at} address={node.getAttribute('href') ?? ''} text={node.textContent} />
    case 'SCRIPT':
    case 'STYLE':
      return null
    default:
      return <Fragment key={at}>{inside}</Fragment>
  }
}
