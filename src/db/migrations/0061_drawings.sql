-- Drawings (SVG) are stored beside images of pixels, written anew from the parts that are accepted.
alter table images drop constraint pictures_content_type_check;
alter table images add constraint images_content_type_check check (content_type in ('image/webp', 'image/svg+xml'));
