export const copy = {
  'picture.kind': 'This file is not an accepted image. Use a PNG, JPEG, WebP or GIF file.',
  'picture.size': 'An image can have at most 5 MB.',
  'picture.points': 'An image can have at most 24 million pixels. Make it smaller first.',
  'picture.broken': 'This image is damaged and could not be read.',
  'picture.drawing': 'This SVG file has parts that are not accepted; only shapes, lines, text and their colors are.',
  'picture.moving': 'The image is animated; its first frame was stored.',
  'picture.missing': 'This image does not exist.',
} as const
