export const copy = {
  'picture.kind': 'This is no picture that can be kept. Take a PNG, JPEG, WebP or GIF file.',
  'picture.size': 'A picture can have at most 5 MB.',
  'picture.points': 'A picture can have at most 24 million points. Make it smaller first.',
  'picture.broken': 'This picture is damaged and could not be read.',
  'picture.moving': 'The picture moves; its first frame was kept.',
  'picture.missing': 'There is no such picture.',
} as const
